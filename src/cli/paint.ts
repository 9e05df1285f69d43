import { styleText } from "node:util";

/** How a text is coloured, or left as it is. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly unsure: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const plain = (text: string): string => text;

/** No colours, for files and pipes. */
export const noPaint: Paint = { good: plain, bad: plain, unsure: plain, dim: plain, bold: plain };

/** Colours, for terminals. */
export const colours: Paint = {
  good: painted("green"),
  bad: painted("red"),
  unsure: painted("yellow"),
  dim: painted("dim"),
  bold: painted("bold"),
};

function painted(style: "green" | "red" | "yellow" | "dim" | "bold"): (text: string) => string {
  // Whoever asks for colours knows where they go.
  return (text) => styleText(style, text, { validateStream: false });
}
