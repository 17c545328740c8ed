import { describe, expect, test } from 'vitest'
import { parseCollectionLocator } from '../../src/schema/locator.js'

describe('parseCollectionLocator', () => {
  test('default', () => {
    expect(parseCollectionLocator('kassa:dunes')).toEqual({ namespace: 'kassa', collectionId: 'dunes' })
  })

  test('parameters: template', () => {
    expect(parseCollectionLocator('kassa:dunes:gold')).toEqual({
      namespace: 'kassa',
      collectionId: 'dunes',
      templateId: 'gold',
    })
  })

  test.each([
    '',
    'kassa',
    'kassa:',
    ':dunes',
    'kassa::x',
    'Kassa:dunes',
    'kassa:du nes',
    'kassa:a:b:c',
    'kassa:../x',
    'kassa:a:',
  ])('error: %j is not a locator', (text) => expect(parseCollectionLocator(text)).toBeUndefined())
})
