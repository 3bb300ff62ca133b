import { Json } from "./json";

/** From this many members on, look-ups go through a hash map. */
const MANY = 8;

/** The members of an object, in order, each key once. */
export class Members {
  readonly keys: Array<string> = new Array<string>();
  readonly values: Array<Json> = new Array<Json>();
  private places: Map<string, i32> | null = null;

  get(key: string): Json {
    const place = this.find(key);
    return place < 0 ? Json.missing() : this.values[place];
  }

  /** Sets a member; one that is there keeps its place. */
  set(key: string, value: Json): void {
    const place = this.find(key);
    if (place >= 0) {
      this.values[place] = value;
      return;
    }
    if (this.places !== null) this.places!.set(key, this.keys.length);
    this.keys.push(key);
    this.values.push(value);
  }

  remove(key: string): void {
    const place = this.find(key);
    if (place < 0) return;
    this.keys.splice(place, 1);
    this.values.splice(place, 1);
    this.places = null;
  }

  private find(key: string): i32 {
    if (this.keys.length < MANY) return this.keys.indexOf(key);
    if (this.places === null) {
      const places = new Map<string, i32>();
      for (let i = 0; i < this.keys.length; i++) places.set(this.keys[i], i);
      this.places = places;
    }
    const places = this.places!;
    return places.has(key) ? places.get(key) : -1;
  }
}
