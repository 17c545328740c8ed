import { viteFinal } from '@storybook/react-vite/preset'
import { getStorySortParameter } from 'storybook/internal/csf-tools'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPartArgTypes } from '../.storybook/addPartArgTypes.js'
import { readDeclarations } from '../.storybook/declarations.js'
import { type Documentation, readDocumentation, toMarkdown } from '../.storybook/documentation.js'
import { inLocale } from '../.storybook/inLocale.js'
import { partDocs } from '../.storybook/partDocs.js'
import { readPartProps } from '../.storybook/readPartProps.js'
import { readPartState } from '../.storybook/readPartState.js'
import { messages } from '../src/locales/de-DE.js'
import { createCheckout } from '../stories/fixtures/checkout.js'
import { orders } from '../stories/fixtures/orders.js'
import { listSources, readSource, root } from './helpers/sources.js'

type Presets = Parameters<typeof viteFinal>[1]

/** How Storybook is set up to read components: all that its preset asks for here. */
const presets = {
  apply: async (name: string) => (name === 'typescript' ? { reactDocgen: 'react-docgen' } : {}),
}

let server: ViteDevServer
let parts: [name: string, Documentation][]

beforeAll(async () => {
  // A cast on purpose: the presets of a whole Storybook can do more than is asked of them.
  const { plugins = [] } = await viteFinal({}, { presets } as unknown as Presets)
  server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [partDocs(), ...plugins],
    ssr: { resolve: { conditions: ['@kassa/source'] } },
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  const { Checkout } = await server.ssrLoadModule('/src/index.ts')
  parts = Object.entries(Checkout).map(([name, part]) => [name, readDocumentation(part)])
})

afterAll(() => server.close())

/** The parts of which something is not so, by name. */
const listFailing = (isSo: (part: Documentation, name: string) => boolean): string[] =>
  parts.filter(([name, part]) => !isSo(part, name)).map(([name]) => name)

describe('pages of the parts', () => {
  test('behavior: each says what the part is', () => {
    expect(parts.length).toBeGreaterThan(30)
    expect(listFailing(({ comment }) => /^Renders (an?|no) /.test(comment))).toEqual([])
  })

  test.each(['render', 'className', 'style'])('behavior: each shows the prop %s', (prop) => {
    expect(listFailing(({ props }) => props.some(({ name, type }) => name === prop && type))).toEqual([])
  })

  test('behavior: each shows the props that are its own', () => {
    const undocumented = listFailing(({ props }, name) => {
      const file = listSources('src/components/checkout', /\.tsx$/).find((path) =>
        path.endsWith(`/${name}.tsx`),
      )
      const source = readSource(file ?? '')
      const own = new Map(readDeclarations('x.tsx', source)).get(`Checkout${name}Props`)
      const type = own?.type.type === 'TSIntersectionType' ? own.type.types : []
      return type
        .flatMap((part) => own?.readFields(part) ?? [])
        .every((field) => props.some(({ name, description }) => name === field.name && description))
    })
    expect(undocumented).toEqual([])
  })

  test('behavior: each shows what it writes as data attributes', () => {
    expect(
      listFailing(({ state }) => state.every(({ name, type }) => /^data-[a-z-]+$/.test(name) && type)),
    ).toEqual([])
    expect(Object.fromEntries(parts)).toMatchObject({
      Pay: {
        state: [
          { name: 'data-stage', type: expect.stringContaining("'ready-to-pay'") },
          { name: 'data-step', type: expect.stringContaining("'awaiting-signature'") },
          { name: 'data-action', description: expect.stringContaining('pressing') },
          { name: 'data-pending', type: 'boolean' },
        ],
      },
    })
  })
})

test('behavior: the sidebar opens on the introduction, and lists every part once, the devtools last', () => {
  const { order } = getStorySortParameter(readSource('.storybook/preview.tsx'))
  expect(order.at(0)).toBe('Introduction')
  expect(order.at(-1)).toBe('Devtools')
  const [first, ...listed] = order[order.indexOf('Parts') + 1]
  expect(first).toBe('All parts')
  // The panel is listed with the checkouts.
  expect(listed.sort()).toEqual(
    parts
      .map(([name]) => name)
      .filter((name) => name !== 'Panel')
      .sort(),
  )
})

describe('controls', () => {
  /** The controls of a part's own props, by name. */
  const read = (name: string) => {
    const part = Object.fromEntries(parts)[name]
    const component = { __partDocs: part }
    const context = { argTypes: {}, component } as unknown as Parameters<typeof addPartArgTypes>[0]
    const types = Object.entries(addPartArgTypes(context))
    return Object.fromEntries(types.map(([prop, { control, options }]) => [prop, { control, options }]))
  }

  test('behavior: a prop has the control of its type, and an attribute has none', () => {
    expect(read('Charge')).toMatchObject({
      of: { control: { type: 'inline-radio' }, options: ['unit', 'salesTax', 'shipping', 'discount'] },
      className: { control: { type: 'text' } },
      style: { control: { type: 'object' } },
      render: { control: { disable: true } },
    })
    expect(read('Item')).toMatchObject({ index: { control: { type: 'number' } } })
    expect(read('RecipientForm')).toMatchObject({ isOpen: { control: { type: 'boolean' } } })
    expect(read('Root')).toMatchObject({ orderId: { control: { disable: true } } })
    expect(read('Pay')).toMatchObject({ 'data-stage': { control: { disable: true } } })
  })
})

describe('a props type', () => {
  const read = (source: string) => readPartProps('CheckoutX', new Map(readDeclarations('x.ts', source)))

  test('default', () => {
    const source = `
      type Common<Tag, State> = Omit<Attributes<Tag>, 'x'> & Options<State>
      export type Options<State> = {
        /** What to show. */
        children?: (state: State) => Node
        render?: Element | undefined
      }
      type Without<Props> = Props extends unknown ? Omit<Props, 'render'> : never
      export declare namespace CheckoutX { type Props = Without<Common<'p', State>> & ({ a: string; b?: never } | {
        /** The other. */
        b: number
      }) }`
    expect(read(source)).toEqual([
      { name: 'children', type: '(state: State) => Node', description: 'What to show.' },
      { name: 'a', type: 'string', description: '' },
      { name: 'b', type: 'number', description: 'The other.' },
    ])
  })

  test('behavior: a component without any has none', () => {
    expect(read('export type Other = { a: string }')).toEqual([])
  })
})

describe('a state type', () => {
  const read = (source: string) => readPartState('CheckoutX', new Map(readDeclarations('x.ts', source)))

  test('default', () => {
    const source = `
      export type Color = 'red' | Shade
      export type Shade = 'grey'
      export type Step = { status: 'idle' } | { status: 'busy' }
      export type Value = { step: Step }
      export declare namespace CheckoutX { type State = {
        /** How it
         * looks. */
        color: Color | undefined
        isNew: boolean
        payStep: Value['step']['status']
        future: Future
      } }`
    expect(read(source)).toEqual([
      { name: 'data-color', type: "'red' | 'grey'", description: 'How it looks.' },
      { name: 'data-new', type: 'boolean', description: '' },
      { name: 'data-pay-step', type: "'idle' | 'busy'", description: '' },
      { name: 'data-future', type: 'Future', description: '' },
    ])
  })

  test('behavior: one that is another shows its fields', () => {
    const source =
      'export type Other = { a: string }\nexport declare namespace CheckoutX { type State = Other }'
    expect(read(source)).toEqual([{ name: 'data-a', type: 'string', description: '' }])
    expect(read('export type Other = { a: string }')).toEqual([])
  })
})

test('behavior: a doc comment becomes a page without its tags', () => {
  const comment = 'Renders a `<p>`; see {@link Other}.\n\n@example\n```tsx\nexport {}\n```\n@throws never'
  expect(toMarkdown(comment)).toBe('Renders a `<p>`; see `Other`.\n\n**Example**\n\n```tsx\nexport {}\n```')
})

test('behavior: another language reaches every checkout among the arguments, and nothing else', () => {
  const value = createCheckout(orders.completed)
  const args = { value, moments: { Delivered: value }, className: 'plain', render: undefined }
  const german = inLocale(args, 'de-DE', messages)
  expect(german).toEqual({
    ...args,
    value: { ...value, messages, order: { ...value.order, locale: 'de-DE' } },
    moments: { Delivered: german.value },
  })
  expect(inLocale({ value: createCheckout(undefined) }, 'de-DE', messages).value.order).toBe(undefined)
})
