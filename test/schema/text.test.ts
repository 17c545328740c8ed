import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { CreateApiKeyBody } from '../../src/schema/apiKey.js'
import { UpdateCollectionBody } from '../../src/schema/collectionInput.js'
import { Gift } from '../../src/schema/createOrder.js'
import { nftMetadataFields } from '../../src/schema/nftMetadataFields.js'

const problemOf = (schema: z.core.$ZodType, value: unknown): string | undefined =>
  z.safeParse(schema, value).error?.issues[0]?.message

const invisible = 'must not contain control or invisible characters'
const names = [
  ['a collection', (name: string) => problemOf(UpdateCollectionBody, { metadata: { name } })],
  ['a token', (name: string) => problemOf(nftMetadataFields.name, name)],
  ['a key', (name: string) => problemOf(CreateApiKeyBody, { name })],
  ['the giver of a gift', (giverName: string) => problemOf(Gift, { giverName })],
] as const

test.each(names)('a name of %s reads the same everywhere', (_, check) => {
  for (const name of ['Dunes at Dusk', 'Größe 4', '日本の夜', 'نقش‌جهان', '👩‍🎨 studio', 'a - b']) {
    expect(check(name)).toBeUndefined()
  }
  for (const hidden of ['\u202E', '\u200B', '\u2066', '\uFEFF', '\u0000', '\u061C', '\u2028', '\r'])
    expect(check(`Dunes${hidden}at Dusk`)).toBe(invisible)
})

test('a note contains no link or address', () => {
  const check = (note: string) => problemOf(Gift, { note })
  for (const note of ['Happy birthday!\nSee you at 5.30 p.m.', 'z. B. heute … 3.5 von 5', 'a'.repeat(200)])
    expect(check(note)).toBeUndefined()
  for (const note of [
    'see https://evil.example',
    'see evil.example',
    'WWW.evil',
    'write to ada@evil',
    'сайт.рф',
    'ftp://evil',
  ])
    expect(check(note)).toBe('must not contain links or addresses')
  expect(check('a'.repeat(201))).toBe('expected 200 characters or fewer')
  expect(check('Happy\u202Ebirthday')).toBe(invisible)
})
