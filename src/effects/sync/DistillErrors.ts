import { Schema } from "effect"

/** It was said that the session is distilled, and not where. Nothing was changed. */
export class SourceSlugRequired extends Schema.TaggedError<SourceSlugRequired>()("SourceSlugRequired", {}) {
  override get message() {
    return "distill_done=true requires source_slug (the slug just authored with ctx_write_page type=source)"
  }
}

/** The source page that was to be written is not there. Nothing was changed. */
export class SourcePageMissing extends Schema.TaggedError<SourcePageMissing>()("SourcePageMissing", {
  slug: Schema.String
}) {
  override get message() {
    const { slug } = this
    return `distill_done set but source page "${slug}" not found at raw/sessions/${slug}.md — write it first with ctx_write_page(type="source", slug="${slug}", ...)`
  }
}
