/// <reference types="vite/client" />
import type { Decorator, Meta, StoryObj } from '@storybook/react-vite'
import { Checkout } from 'kassa'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { storyNameFromExport, toId } from 'storybook/internal/csf'
import { expect, waitFor } from 'storybook/test'
import { readDocumentation } from '../../.storybook/documentation.js'
import { inLocale } from '../../.storybook/inLocale.js'

type Context = Parameters<Decorator>[1]
type Stories = { default: Meta } & Record<string, StoryObj>

const modules = Object.values(
  import.meta.glob<Stories>(['../*/*.stories.tsx', '!../checkout/*', '!../devtools/*'], { eager: true }),
)

/** The stories of parts that show nothing, or little, in their usual state. */
const telling: Readonly<Record<string, string>> = { Panel: 'AwaitingPaymentNative', Status: 'Delivering' }

/** The story that shows a part best, by default in its usual state. */
const findStory = (name: string) => {
  const stories = modules.find(({ default: { title } }) => title?.endsWith(`/${name}`))
  const exportName = telling[name] ?? 'Default'
  const story = stories?.[exportName]
  if (!stories || !story) throw new Error(`Checkout.${name} has no story ${exportName}.`)
  return { meta: stories.default, story, exportName }
}

const parts = Object.entries(Checkout).map(([name, part]) => ({
  name,
  ...readDocumentation(part),
  ...findStory(name),
}))

type Part = (typeof parts)[number]

/** What a doc comment says before its first tag or example. */
const toSentences = (comment: string): string => (comment.split('\n@')[0] ?? '').replaceAll('`', '').trim()

/** A story inside its own decorators, in the language of the surrounding story. */
const decorate = ({ meta, story }: Part, context: Context): ReactElement => {
  const { globals, loaded } = context
  const translate = (things: Record<string, unknown>) =>
    loaded.messages ? inLocale(things, globals.locale, loaded.messages) : things
  const args = translate({ ...meta.args, ...story.args })
  const inner: Context = {
    ...context,
    args,
    parameters: translate({ ...meta.parameters, ...story.parameters }),
  }
  const render = story.render ?? meta.render
  const Part = meta.component
  const start = () => <>{render ? render(args, inner) : Part && <Part {...args} />}</>
  const Decorated = [story.decorators ?? [], meta.decorators ?? []]
    .flat()
    .reduce<() => ReactElement>((Inner, decorator) => () => <>{decorator(Inner, inner)}</>, start)
  return <Decorated />
}

/** Parts that show nothing before the page looked for wallets, a request was answered, or a form was sent. */
const live: readonly string[] = [
  'Wallets',
  'Funds',
  'Balance',
  'NetworkFee',
  'FieldError',
  'Transfer',
  'TransferQr',
  'TransferValue',
  'TransferCopy',
  'OpenInWallet',
]

/** Renders a `<div>`: a part to look at. Nothing in it is reached by keyboard. */
function Picture({ part, context }: { part: Part; context: Context }): ReactElement {
  const common = { className: 'miniature', inert: true, 'data-part': part.name }
  const element = decorate(part, context)
  if (live.includes(part.name)) return <div {...common}>{element}</div>
  // As markup, because wagmi's hooks render without end where a page has several configurations.
  return <div {...common} dangerouslySetInnerHTML={{ __html: renderToStaticMarkup(element) }} />
}

/** The parts as the sidebar lists them: as a buyer meets them. */
const sortParts = ({ parameters }: Context): Part[] => {
  const order: unknown[] = parameters.options.storySort.order
  const names = order[order.indexOf('Parts') + 1] as string[]
  return parts.toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
}

const meta = {
  title: 'Parts/All parts',
  tags: ['!autodocs'],
  // Its source is not printed from its elements, which hold the whole context.
  parameters: { controls: { disable: true }, docs: { source: { type: 'code' } } },
} satisfies Meta

export default meta

/** Every part as it looks, what it is, and the attributes a stylesheet finds it by. Each name leads to its stories. */
export const AllParts: StoryObj = {
  render: (_, context) => (
    <ul className="all-parts">
      {sortParts(context).map((part) => (
        <li key={part.name}>
          <Picture part={part} context={context} />
          <a
            href={`./?path=/story/${toId(part.meta.title ?? '', storyNameFromExport(part.exportName))}`}
            target="_top"
          >
            Checkout.{part.name}
          </a>
          <p>{toSentences(part.comment)}</p>
          <p className="attributes">
            {part.state.map(({ name }) => (
              <code key={name}>{name}</code>
            ))}
          </p>
        </li>
      ))}
    </ul>
  ),
  play: async ({ canvasElement }) => {
    const find = <Found extends HTMLElement>(selector: string) => [
      ...canvasElement.querySelectorAll<Found>(selector),
    ]
    // What is wrong with a field is said once its form was sent.
    find<HTMLFormElement>('[data-part="FieldError"] form')[0]?.requestSubmit()
    await waitFor(() => expect(find('.miniature [data-kassa="field-error"]')).toHaveLength(1))
    await waitFor(() => expect(find('.miniature:has([data-kassa] *)')).toHaveLength(parts.length))
  },
}
