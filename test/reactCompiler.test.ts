import { expect, test } from 'vitest'
import { compileForReact } from './helpers/reactCompiler.js'
import { listSources, readSource } from './helpers/sources.js'

const folders = ['hooks', 'components', 'internal', 'devtools', 'wallet']
const modules = folders.flatMap((folder) => listSources(`src/${folder}`, /\.tsx?$/))

test('default', async () => {
  const results = await Promise.all(modules.map((file) => compileForReact(readSource(file), file)))
  expect(results.flatMap(({ complaints }) => complaints)).toEqual([])
  expect(results.filter(({ compiled }) => compiled > 0).length).toBeGreaterThan(60)
})

test('behavior: no module asks the compiler to leave it alone', () => {
  expect(modules.filter((file) => /use no (memo|forget)/.test(readSource(file)))).toEqual([])
})

test('behavior: what uses React stands where the compiler is tried', () => {
  const users = listSources('src', /\.tsx?$/).filter((file) => /from 'react'/.test(readSource(file)))
  expect(users.filter((file) => !modules.includes(file) && !/^src\/(testing|locales)\//.test(file))).toEqual(
    [],
  )
})

test('error: a broken rule is reported', async () => {
  const source = `
    import { useRef } from 'react'
    export function Count() {
      const count = useRef(0)
      count.current++
      return <p>{count.current}</p>
    }`
  const { complaints, compiled } = await compileForReact(source, 'Count.tsx')
  expect(compiled).toBe(0)
  expect(complaints.join()).toMatch(/^Count\.tsx:\d+ CompileError: .*refs/)
})
