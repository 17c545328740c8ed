import type { Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import { readDocumentation } from '../../.storybook/documentation.js'

const parts = Object.entries(Checkout).map(([name, part]) => ({ name, ...readDocumentation(part) }))

/** What a doc comment says before its first tag or example. */
const toSentences = (comment: string): string => (comment.split('\n@')[0] ?? '').replaceAll('`', '').trim()

const meta = { title: 'Parts/All parts', tags: ['!autodocs'] } satisfies Meta

export default meta

/** What every part is, and what a stylesheet finds it by: all of it from the sources. */
export const AllParts: StoryObj = {
  render: () => (
    <dl className="all-parts">
      {parts.map(({ name, comment, state }) => (
        <div key={name}>
          <dt>Checkout.{name}</dt>
          <dd>{toSentences(comment)}</dd>
          <dd>
            {state.map((attribute) => (
              <code key={attribute.name}>{attribute.name}</code>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  ),
}
