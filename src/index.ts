/** Everything that the package exports, in one place. */
export * from "./directives/index.ts"
export * from "./effects/index.ts"
export * from "./model/index.ts"
export * from "./services/index.ts"
