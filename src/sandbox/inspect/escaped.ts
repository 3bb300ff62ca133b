/** A name as it can be shown: ASCII, in quotes, and not longer than a line. */
export function escaped(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return JSON.stringify(short).replace(/[^ -~…]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** The same without quotes where nothing in the name could be taken for anything else. */
export function shownName(name: string): string {
  return name.length <= 80 && /^[\w\-$.:/@#[\]|+]+$/.test(name) ? name : escaped(name);
}
