import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application, OptionDefaults } from 'typedoc'
import { introductions } from './introductions.mjs'
import { shape } from './shape.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The sources of all entries of the package that hold names. @returns {string[]} */
const listSources = () =>
  Object.entries(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).exports).flatMap(
    ([entry, targets]) => {
      const source = targets['@kassa/source']
      return source?.endsWith('.ts') && !entry.includes('*') ? [join(root, source)] : []
    },
  )

/** The page that leads to the others. */
const contents = () => `# Reference

Made from the doc comments by \`npm run reference\`: one page for each import.

| import | holds |
| ------ | ------ |
${Object.entries(introductions)
  .map(
    ([name, text]) =>
      `| [\`${name === 'kassa' ? name : `kassa/${name}`}\`](${name}.md) | ${text.split('\n')[0]} |`,
  )
  .join('\n')}
`

/** How the plugin writes Markdown; TypeDoc's own types know none of it. @type {Record<string, unknown>} */
const markdown = {
  hidePageHeader: true,
  pageTitleTemplates: {
    module: ({ rawName = '' }) => (rawName === 'kassa' ? rawName : `kassa/${rawName}`),
  },
  tableColumnSettings: {
    hideDefaults: true,
    hideModifiers: true,
    hideInherited: true,
    hideOverrides: true,
  },
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandParameters: true,
  expandObjects: true,
  useHTMLAnchors: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
}

/** Writes one page for each entry of the package, from the doc comments, into a folder. @param {string} folder */
export const writeReference = async (folder) => {
  rmSync(folder, { recursive: true, force: true })
  const app = await Application.bootstrapWithPlugins({
    name: 'Reference',
    entryPoints: listSources(),
    tsconfig: join(root, 'tsconfig.json'),
    plugin: [fileURLToPath(import.meta.resolve('typedoc-plugin-markdown'))],
    outputs: [{ name: 'markdown', path: folder }],
    router: 'module',
    readme: 'none',
    disableSources: true,
    // Types are checked elsewhere, by the compiler that the project is written for.
    skipErrorChecking: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeReferences: false,
    sort: ['alphabetical'],
    groupOrder: ['Hooks', 'Parts', 'Functions', 'Errors', 'Values', 'Types', '*'],
    blockTags: [...OptionDefaults.blockTags, '@source', '@units'],
    excludeTags: ['@source'],
    validation: false,
    logLevel: 'Error',
    ...markdown,
  })
  shape(app)
  const project = await app.convert()
  if (!project) throw new Error('The sources could not be read.')
  await app.generateOutputs(project)
  if (app.logger.hasErrors()) throw new Error('The reference could not be written.')
  writeFileSync(join(folder, 'README.md'), contents())
}
