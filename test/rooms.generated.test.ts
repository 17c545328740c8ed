import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { listSources, readImports, readSource, resolveImport } from './helpers/sources.js'

type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The room of a file: the folder below its tree, or nothing for the files that stand in none. */
const roomOf = (path: string): string | undefined => (path.includes('/') ? path.split('/')[0] : undefined)

/** Reads which rooms of a tree import which, values and types alike. */
const readRooms = (tree: string): Graph => {
  const rooms = new Map<string, Set<string>>()
  for (const file of listSources(tree, /\.tsx?$/)) {
    const path = posix.relative(tree, file)
    const room = roomOf(path)
    if (room === undefined) continue
    const imported = rooms.get(room) ?? new Set()
    rooms.set(room, imported)
    for (const specifier of readImports(readSource(file))) {
      const module = resolveImport(path, specifier)
      const target = module && roomOf(module)
      if (target && target !== room) imported.add(target)
    }
  }
  return rooms
}

/** Whether a room reaches another through others. */
const reaches = (rooms: Graph, from: string, to: string, passed = new Set<string>()): boolean =>
  [...(rooms.get(from) ?? [])].some((next) => {
    if (next === to) return true
    if (passed.has(next)) return false
    passed.add(next)
    return reaches(rooms, next, to, passed)
  })

/** Draws the rooms, each with an arrow to those that it imports and reaches through no other. */
const draw = (rooms: Graph): string => {
  const arrows = [...rooms].sort().flatMap(([room, imported]) =>
    [...imported]
      .filter((target) => ![...imported].some((other) => other !== target && reaches(rooms, other, target)))
      .sort()
      .map((target) => `  ${room} --> ${target}`),
  )
  return ['flowchart TD', ...arrows].join('\n')
}

const trees = ['src', 'service/src']

test('the pictures of the rooms in CONTRIBUTING are what the rooms import', async () => {
  const page = trees.reduce(
    (text, tree) =>
      text.replace(
        new RegExp(`(<!-- rooms of ${tree} -->\\n\\n\`\`\`mermaid\\n)[\\s\\S]*?(\`\`\`)`),
        (_, before, after) => `${before}${draw(readRooms(tree))}\n${after}`,
      ),
    readSource('CONTRIBUTING.md'),
  )
  await expect(page).toMatchFileSnapshot('../CONTRIBUTING.md')
})

test('behavior: an arrow that another way makes superfluous is left out', () => {
  const rooms = new Map([
    ['app', new Set(['verbs', 'data'])],
    ['verbs', new Set(['data'])],
    ['data', new Set<string>()],
  ])
  expect(draw(rooms)).toBe('flowchart TD\n  app --> verbs\n  verbs --> data')
})
