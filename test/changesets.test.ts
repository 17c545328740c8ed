import getReleasePlan from '@changesets/get-release-plan'
import { expect, test, vi } from 'vitest'
import { listSources, readSource, root } from './helpers/sources.js'

const folders = { kassa: '', 'kassa-service': 'service/' }
const read = (file: string) => JSON.parse(readSource(file))

/** What would be released now. That the examples name the library by its folder is so on purpose, and not told. */
const plan = async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const found = await getReleasePlan(root)
  log.mockRestore()
  return found
}

test('default: what would be released now are the two packages, at one version', async () => {
  const { releases, preState } = await plan()
  expect(preState).toBeUndefined()
  const rising = releases.filter(({ type }) => type !== 'none')
  expect(rising.map(({ name }) => name).filter((name) => !(name in folders))).toEqual([])
  expect(new Set(rising.map(({ newVersion }) => newVersion)).size).toBeLessThan(2)
})

test('behavior: every changeset names a package, how much it changes, and what changes', async () => {
  const { changesets } = await plan()
  const files = listSources('.changeset', /\.md$/)
    .map((file) => file.replace(/^\.changeset\/|\.md$/g, ''))
    .sort()
  expect(changesets.map(({ id }) => id).sort()).toEqual(files)
  for (const { id, summary, releases } of changesets) {
    expect(summary, id).toMatch(/^[^-#].*[.:]$/m)
    expect(releases.length, id).toBeGreaterThan(0)
    for (const { name, type } of releases) {
      expect(Object.keys(folders), id).toContain(name)
      expect(['major', 'minor', 'patch'], id).toContain(type)
    }
  }
})

test('behavior: both packages have one version, and the service wants that of the library', () => {
  const { version } = read('package.json')
  expect(read('service/package.json')).toMatchObject({ version, dependencies: { kassa: version } })
  expect(read('package-lock.json').packages).toMatchObject({
    '': { version },
    service: { version, dependencies: { kassa: version } },
  })
})

test('behavior: a changelog begins with its package and the version that was released last', () => {
  for (const [name, folder] of Object.entries(folders)) {
    const changelog = readSource(`${folder}CHANGELOG.md`)
    const { version } = read(`${folder}package.json`)
    // New versions are written below the first line, so nothing else may stand between.
    expect(changelog.split('\n').slice(0, 3)).toEqual([`# ${name}`, '', `## ${version}`])
    expect(
      changelog.match(/^### .*/gm)?.filter((title) => !/^### (Major|Minor|Patch) Changes$/.test(title)),
    ).toEqual([])
  }
})
