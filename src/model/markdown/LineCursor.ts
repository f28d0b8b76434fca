/**
 * A place in one line of a text, in code units and in columns: a tab reaches to the next multiple of four, and a container
 * may take a part of one.
 */
export class LineCursor {
  readonly #text: string
  /** Behind the line's last character, its end excluded. */
  end = 0
  at = 0
  /** Where the blanks that stand here end. */
  next = 0
  /** How many columns of blanks stand here. */
  indent = 0
  /** Whether nothing but blanks is left. */
  blank = false
  #column = 0
  #nextColumn = 0
  /** Whether a part of the tab that stands here is taken. */
  #partOfTab = false

  constructor(text: string) {
    this.#text = text
  }

  begin(start: number, end: number): void {
    this.end = end
    this.at = start
    this.next = start - 1
    this.#column = 0
    this.#partOfTab = false
  }

  /** Looks for what is no blank. Within one run of blanks, which every item of a deep list asks about, the answer stays. */
  look(): void {
    if (this.at > this.next) {
      this.next = this.at
      this.#nextColumn = this.#column
      for (let unit = this.unitAt(this.next); unit === space || unit === tab; unit = this.unitAt(this.next)) {
        this.next++
        this.#nextColumn += unit === tab ? 4 - (this.#nextColumn % 4) : 1
      }
      this.blank = this.next >= this.end
    }
    this.indent = this.#nextColumn - this.#column
  }

  skipBlanks(): void {
    this.at = this.next
    this.#column = this.#nextColumn
    this.#partOfTab = false
  }

  /** Takes columns of blanks, or of other characters, each of which counts as one. */
  take(columns: number): void {
    for (let left = columns; left > 0 && this.at < this.end;) {
      const width = this.unitAt(this.at) === tab ? 4 - (this.#column % 4) : 1
      const taken = Math.min(width, left)
      this.#partOfTab = taken < width
      if (!this.#partOfTab) this.at++
      this.#column += taken
      left -= taken
    }
  }

  takeBlank(): void {
    if (isBlank(this.unitAt(this.at))) this.take(1)
  }

  /**
   * Takes a list marker of some characters and up to four columns behind it.
   *
   * @returns The columns that belong to the item's indentation.
   */
  takeMarker(width: number): number {
    this.skipBlanks()
    this.take(width)
    const [at, column] = [this.at, this.#column]
    do this.take(1)
    while (this.#column - column < 5 && isBlank(this.unitAt(this.at)))
    const blanks = this.#column - column
    if (blanks >= 1 && blanks < 5 && this.at < this.end) return width + blanks
    // Code, or nothing, begins the item: one blank belongs to the marker.
    this.at = at
    this.#column = column
    this.next = at - 1
    this.takeBlank()
    return width + 1
  }

  /** Where the text of the line begins here: behind a tab that was taken in part. */
  textStart(): number {
    return this.#partOfTab ? this.at + 1 : this.at
  }

  /** The code unit at an offset of the line; -1 behind it. */
  unitAt(offset: number): number {
    return offset < this.end ? this.#text.charCodeAt(offset) : -1
  }
}

export const isBlank = (unit: number): boolean => unit === space || unit === tab

const space = 0x20
const tab = 0x09
