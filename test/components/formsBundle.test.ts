import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { root } from '../helpers/sources.js'

/** The files of the library that stay in a bundle of some parts. */
const listBundled = async (parts: string): Promise<string[]> => {
  const { metafile } = await build({
    stdin: { contents: `export { ${parts} } from 'kassa'`, resolveDir: root },
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
    conditions: ['@kassa/source'],
    packages: 'external',
    alias: { kassa: './src/index.ts' },
  })
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  )
}

const forms = ['checkField', 'checkForm', 'countries', 'fields'].map(
  (name) => `src/components/checkout/forms/${name}.ts`,
)

test('behavior: a checkout without forms carries nothing of them', async () => {
  const files = await listBundled('CheckoutRoot, CheckoutItems, CheckoutPay, CheckoutError')
  expect(files).toContain('src/components/checkout/payment/Pay.tsx')
  expect(files.filter((file) => forms.includes(file))).toEqual([])
})

test('behavior: one with a form does, and carries no schema for it', async () => {
  const without = await listBundled('CheckoutRoot, CheckoutError')
  const files = await listBundled('CheckoutRoot, CheckoutError, CheckoutAddressForm')
  expect(files).toEqual(expect.arrayContaining(forms))
  const added = files.filter((file) => !without.includes(file))
  expect(added.filter((file) => file.startsWith('src/schema/'))).toEqual(['src/schema/limits.ts'])
})
