import { expect, test } from 'vitest'
import { listBundled } from '../helpers/listBundled.js'

/** The files of the library that stay in a bundle of an app that renders these parts. */
const listRendered = async (...parts: string[]): Promise<string[]> => {
  const names = parts.map((part) => `Checkout.${part}`)
  const { atOnce } = await listBundled(`import { Checkout } from 'kassa'\nexport const parts = [${names}]`)
  return atOnce
}

const forms = ['checkField', 'checkForm', 'countries', 'fields'].map(
  (name) => `src/components/checkout/forms/${name}.ts`,
)

test('behavior: a checkout without forms carries nothing of them', async () => {
  const files = await listRendered('Root', 'Items', 'Pay', 'Error')
  expect(files).toContain('src/components/checkout/payment/Pay.tsx')
  expect(files.filter((file) => forms.includes(file))).toEqual([])
})

test('behavior: one with a form does, and carries no schema for it', async () => {
  const without = await listRendered('Root', 'Error')
  const files = await listRendered('Root', 'Error', 'AddressForm')
  expect(files).toEqual(expect.arrayContaining(forms))
  const added = files.filter((file) => !without.includes(file))
  expect(added.filter((file) => file.startsWith('src/schema/'))).toEqual(['src/schema/limits.ts'])
})
