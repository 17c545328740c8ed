import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './sources.js'

/**
 * Bundles an app, and lists the files of the library that stay in it: those it loads at once, and those it may ask
 * for later.
 *
 * @param app - The app's code, which imports `kassa`.
 */
export const listBundled = async (app: string): Promise<{ atOnce: string[]; later: string[] }> => {
  const bundle = await rolldown({
    input: 'app',
    cwd: root,
    logLevel: 'silent',
    external: /^(?!app|kassa|\.|\/)/,
    resolve: {
      alias: {
        'kassa/solana': join(root, 'src/solana/index.ts'),
        kassa: join(root, 'src/index.ts'),
      },
      extensionAlias: { '.js': ['.ts', '.tsx'] },
    },
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app' ? id : null),
        load: (id) => (id === 'app' ? app : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  const chunks = output.filter((file) => file.type === 'chunk')
  const atOnce = new Set<string>()
  const follow = (name: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === name)
    if (!chunk || atOnce.has(name)) return
    atOnce.add(name)
    for (const imported of chunk.imports) follow(imported)
  }
  for (const { isEntry, fileName } of chunks) if (isEntry) follow(fileName)
  const list = (isWanted: (name: string) => boolean): string[] =>
    chunks
      .filter(({ fileName }) => isWanted(fileName))
      .flatMap(({ modules }) =>
        Object.entries(modules).flatMap(([id, { renderedLength }]) =>
          renderedLength > 0 ? relative(root, id) : [],
        ),
      )
  return { atOnce: list((name) => atOnce.has(name)), later: list((name) => !atOnce.has(name)) }
}
