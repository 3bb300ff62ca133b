/** In place of a charge: no run comes here. */
export const DEAD = -1;
/** In place of a time. */
export const NEVER = 0x7fff_ffff;
/** In place of an event or a frame. */
export const NONE = -1;

/** The numbers of three charges: of the code before a fork, and of its two ways. */
export interface Fork {
  readonly before: number;
  readonly first: number;
  readonly second: number;
}

/** An open block; one object for each depth, used again and again. */
export class Frame {
  kind = 0;
  /** the charge of the code before it */
  outer = DEAD;
  openedAt = 0;
  /** when runs first went to its end by another way than through all of it */
  branchedAt = NEVER;
  /** whether code that was closed already leads to its end */
  reached = false;
  /** of a fork whose second way starts at this frame's `else` or end: the charge before it, and that of the first way */
  forkedFrom = NONE;
  firstWay = NONE;
  /** of a loop: its event; the loop around it; whether a turn is on a condition; the last other turn */
  event = NONE;
  enclosingLoop = NONE;
  turnsOnCondition = false;
  lastTurn = NONE;
}
