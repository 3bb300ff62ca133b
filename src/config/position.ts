/** A place in a text file, as editors count: lines and columns from 1, columns in UTF-16 code units. */
export interface Position {
  line: number;
  column: number;
}

/** Turns offsets into a text into positions. A line ends with LF or CR LF. */
export function lineIndex(text: string): (offset: number) => Position {
  const starts = [0];
  for (let i = text.indexOf("\n"); i !== -1; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}
