/**
 * Instructions under consecutive numbers. A step is its text, with the indentation of its further lines; leaving one
 * out renumbers the rest.
 */
export const numbered = (steps: ReadonlyArray<string>): ReadonlyArray<string> => [
  "Instructions:",
  ...steps.map((step, index) => `${index + 1}. ${step}`)
]
