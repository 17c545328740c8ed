/** A picture of states: its leaves, which of them each group holds, and its arrows between leaves and groups. */
export type StateDiagram = {
  leaves: string[]
  groups: Map<string, string[]>
  arrows: { from: string; to: string; events: string[] }[]
}

/** Reads a state diagram in Mermaid's language, as far as this project draws any. */
export const readStateDiagram = (text: string): StateDiagram => {
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
