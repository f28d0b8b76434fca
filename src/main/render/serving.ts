/** What `ctx serve` says when it is ready. */
export const servingText = (ready: {
  readonly url: string
  readonly data: string
  readonly owner_token: string | null
}): string =>
  [
    `ctx server: ${ready.url}`,
    `data:       ${ready.data}`,
    ...(ready.owner_token === null
      ? []
      : [
          "",
          "The owner's token, shown this once:",
          `  ${ready.owner_token}`,
          "",
          "In a project:",
          `  ctx login --server ${ready.url} --token <token> --repo <name>`
        ])
  ].join("\n")
