/** What a JSON value is. `Missing` is what a look-up gives where there is nothing. */
export enum Kind {
  Missing,
  Null,
  Boolean,
  Number,
  String,
  Array,
  Object,
}
