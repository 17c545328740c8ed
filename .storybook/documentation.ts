import type { PartProp } from './readPartProps.js'
import type { StateAttribute } from './readPartState.js'

/** What is known of a component from its source. */
export type Documentation = {
  /** Its doc comment. */
  comment: string
  props: readonly PartProp[]
  /** The `data-*` attributes it writes. */
  state: readonly StateAttribute[]
}

type Documented = { __docgenInfo?: { description?: string }; __partDocs?: Omit<Documentation, 'comment'> }

/** Reads what the build hung onto a component: Storybook's own plugin its comment, `partDocs` the rest. */
export const readDocumentation = (component: unknown): Documentation => {
  // A cast on purpose: no type knows of what a build step adds.
  const { __docgenInfo, __partDocs } = (component ?? {}) as Documented
  return { comment: __docgenInfo?.description ?? '', props: [], state: [], ...__partDocs }
}

/** A doc comment as a page shows it: links by their name, examples under a heading, other tags left out. */
export const toMarkdown = (comment: string): string =>
  comment
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .replace(/^@example\s*/m, '**Example**\n\n')
    .replace(/^@\w+.*\n?/gm, '')
    .trim()
