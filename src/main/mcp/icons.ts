/** A page with a branch: what hosts show beside our name. A data URI, so that nothing is fetched for it. */
const svg =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='#0a7' stroke-width='2'><path d='M5 3h9l5 5v13H5z'/><path d='M9 17v-6M9 13q6 0 6 4'/></svg>"

export const icons = [
  { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, mimeType: "image/svg+xml", sizes: ["any"] }
]
