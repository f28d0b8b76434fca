/** How a diff is painted. Texts are made safe before they are painted, so no page speaks to the terminal. */
export interface Style {
  readonly added: (text: string) => string
  readonly removed: (text: string) => string
  /** The part of a changed line that changed; None: parts are not looked for. */
  readonly changedPart: ((text: string) => string) | undefined
}

const same = (text: string): string => text

export const plainStyle: Style = { added: same, removed: same, changedPart: undefined }

const sgr = (on: number, off: number) => (text: string) => (text === "" ? "" : `\u001b[${on}m${text}\u001b[${off}m`)

/** Green, red, and inverse for what changed within a line. */
export const colourStyle: Style = { added: sgr(32, 39), removed: sgr(31, 39), changedPart: sgr(7, 27) }
