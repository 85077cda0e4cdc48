// When the next high tide comes.
export const PERIOD_H = 12.42;

// Hours after midnight of the tide that follows one at `lastH`.
export function nextHighTide(lastH) {
  return Number((lastH + PERIOD_H).toFixed(2));
}
