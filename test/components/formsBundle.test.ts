import { join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { root } from '../helpers/sources.js'

/** The files of the library that stay in a bundle of an app that renders these parts. */
const listBundled = async (...parts: string[]): Promise<string[]> => {
  const app = `import { Checkout } from 'kassa'\nexport const parts = [${parts.map((part) => `Checkout.${part}`)}]`
  const bundle = await rolldown({
    input: 'app',
    cwd: root,
    logLevel: 'silent',
    external: /^(?!app|kassa|\.|\/)/,
    resolve: { alias: { kassa: join(root, 'src/index.ts') }, extensionAlias: { '.js': ['.ts', '.tsx'] } },
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
  return output.flatMap((file) =>
    file.type === 'chunk' && file.isEntry
      ? Object.entries(file.modules).flatMap(([id, { renderedLength }]) =>
          renderedLength > 0 ? relative(root, id) : [],
        )
      : [],
  )
}

const forms = ['checkField', 'checkForm', 'countries', 'fields'].map(
  (name) => `src/components/checkout/forms/${name}.ts`,
)

test('behavior: a checkout without forms carries nothing of them', async () => {
  const files = await listBundled('Root', 'Items', 'Pay', 'Error')
  expect(files).toContain('src/components/checkout/payment/Pay.tsx')
  expect(files.filter((file) => forms.includes(file))).toEqual([])
})

test('behavior: one with a form does, and carries no schema for it', async () => {
  const without = await listBundled('Root', 'Error')
  const files = await listBundled('Root', 'Error', 'AddressForm')
  expect(files).toEqual(expect.arrayContaining(forms))
  const added = files.filter((file) => !without.includes(file))
  expect(added.filter((file) => file.startsWith('src/schema/'))).toEqual(['src/schema/limits.ts'])
})
