import { expect, test } from 'vitest'
import { readCodeBlocks } from './helpers/documents.js'
import { type Change, exploreOrders } from './helpers/exploreOrders.js'

/** A picture of states: its leaves, which of them each group holds, and its arrows between leaves and groups. */
type StateDiagram = {
  leaves: string[]
  groups: Map<string, string[]>
  arrows: { from: string; to: string; events: string[] }[]
}

/** Reads a state diagram in Mermaid's language, as far as this project draws any. */
const readStateDiagram = (text: string): StateDiagram => {
  const groups = new Map<string, string[]>()
  const leaves: string[] = []
  const choices = new Set<string>()
  const drawn: StateDiagram['arrows'] = []
  let open: string[] | undefined
  for (const line of text.split('\n').map((each) => each.trim())) {
    const [, state, brace] = /^state "[^"]+" as (\w+)( \{)?$/.exec(line) ?? []
    const [, choice] = /^state (\w+) <<choice>>$/.exec(line) ?? []
    const [, from, to, label] = /^(\S+) --> (\S+)(?: : (.+))?$/.exec(line) ?? []
    if (state !== undefined && brace) {
      open = []
      groups.set(state, open)
    } else if (state !== undefined) {
      leaves.push(state)
      open?.push(state)
    } else if (choice !== undefined) choices.add(choice)
    else if (from !== undefined && to !== undefined)
      drawn.push({ from, to, events: label?.split(', ') ?? [] })
    else if (line === '}') open = undefined
    else if (line !== '' && line !== 'stateDiagram-v2') throw new Error(`Not understood: ${line}`)
  }
  // Through a choice an event leads to each of its ends; the words at those say only why.
  const arrows = drawn.flatMap((arrow) => {
    if (choices.has(arrow.from)) return []
    if (!choices.has(arrow.to)) return [arrow]
    return drawn.filter(({ from }) => from === arrow.to).map(({ to }) => ({ ...arrow, to }))
  })
  return { leaves, groups, arrows }
}

const changes = exploreOrders()
const [block] = readCodeBlocks('docs/order-life.md').filter(({ language }) => language === 'mermaid')
const drawing = block?.code ?? ''

/** A state of the picture as {@link exploreOrders} calls it: `quote_requires_recipient` is `quote/requires-recipient`. */
const nameOf = (id: string): string => id.replace('_', '/').replaceAll('_', '-')

const draw = ({ from, event, to }: Change): string => `${from} --> ${to} : ${event}`

/** Each arrow as all that it stands for, if it is one of a group. */
const expand = ({ groups, arrows }: StateDiagram): Change[][] => {
  const members = (id: string): string[] => (groups.get(id) ?? [id]).map(nameOf)
  return arrows
    .filter(({ to }) => to !== '[*]')
    .flatMap(({ from, to, events }) =>
      events.map((event) =>
        members(from).flatMap((one) =>
          members(to).flatMap((other) =>
            one === other ? [] : [{ from: one, event: event as Change['event'], to: other }],
          ),
        ),
      ),
    )
}

const real = new Set(changes.map(draw))

/** What the picture lacks, and arrows of it that nothing takes: from each of their states, and to each. */
const compare = (text: string): { missing: string[]; wrong: string[] } => {
  const arrows = expand(readStateDiagram(text))
  const drawn = new Set(arrows.flat().map(draw))
  const wrong = arrows.flatMap((arrow) => {
    const taken = arrow.filter((change) => real.has(draw(change)))
    return arrow.filter(
      ({ from, to }) =>
        !taken.some((change) => change.from === from) || !taken.some((change) => change.to === to),
    )
  })
  return { missing: [...real].filter((change) => !drawn.has(change)), wrong: wrong.map(draw) }
}

test('default', () => {
  expect(changes.length).toBeGreaterThan(80)
  expect(compare(drawing)).toEqual({ missing: [], wrong: [] })
})

test('behavior: its states are those that an order can be in', () => {
  const names = [...new Set(changes.flatMap(({ from, to }) => [from, to]))].filter((name) => name !== '[*]')
  expect(readStateDiagram(drawing).leaves.map(nameOf).sort()).toEqual(names.sort())
})

test('behavior: an arrow too few and one too many are found', () => {
  const delivered =
    '  delivery --> completed : item-delivered, item-refused, item-failed, void-requested, time-passed\n'
  expect(compare(drawing.replace(delivered, ''))).toEqual({
    missing: expect.arrayContaining(['delivery --> completed : item-delivered']),
    wrong: [],
  })
  expect(compare(`${drawing}  completed --> delivery : quoted\n`)).toEqual({
    missing: [],
    wrong: ['completed --> delivery : quoted'],
  })
  expect(compare(`${drawing}  unpaid --> delivery : payment-confirmed\n`).wrong).toHaveLength(5)
})
