import { expect, test } from 'vitest'
import { writeContactSheet } from '../../scripts/lib/contactSheet.mjs'

const stories = [
  { id: 'parts-pay--default', title: 'Parts/Pay', name: 'Default' },
  { id: 'parts-pay--a-b', title: 'Parts/Pay', name: '<a> & b' },
  { id: 'parts-total--default', title: 'Parts/Total', name: 'Default' },
]

test('default', () => {
  const sheet = writeContactSheet(stories)
  const pictures = [...sheet.matchAll(/<img src="([^"]+)"/g)].map(([, source]) => source)
  expect(pictures.slice(0, 6)).toEqual([
    '360-light/parts-pay--default.png',
    '360-dark/parts-pay--default.png',
    '768-light/parts-pay--default.png',
    '768-dark/parts-pay--default.png',
    '1280-light/parts-pay--default.png',
    '1280-dark/parts-pay--default.png',
  ])
  expect(pictures).toHaveLength(18)
})

test('behavior: pictures stand below their title, labelled', () => {
  const sheet = writeContactSheet(stories)
  const texts = [...sheet.matchAll(/<(?:h2|figcaption)>([^<]*)</g)].map(([, text]) => text)
  expect(texts).toEqual(['Parts/Pay', 'Default', '&lt;a> &amp; b', 'Parts/Total', 'Default'])
})

test('behavior: a control has a row, and each of its states a column', () => {
  const sheet = writeContactSheet([], ['next--home-1.dark-rest.png', 'next--home-1.light-hover.png'])
  const cells = [...sheet.matchAll(/<t[hd]>([^<]*)</g)].map(([, text]) => text)
  expect(cells).toEqual(['', 'dark-rest', 'light-hover', 'next--home-1', '', ''])
  expect(sheet).toContain('<img src="controls/next--home-1.dark-rest.png"')
  expect(writeContactSheet([])).not.toContain('Controls')
})
