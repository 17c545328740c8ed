import { expect, test } from 'vitest'
import { toDataAttributes } from '../../src/internal/dataAttributes.js'

test('default', () => {
  expect(toDataAttributes({ step: 'awaiting-signature', isPending: true, secondsLeft: 0 })).toEqual({
    'data-step': 'awaiting-signature',
    'data-pending': '',
    'data-seconds-left': '0',
  })
})

test('behavior: what is false or unknown is absent', () => {
  expect(toDataAttributes({ isPending: false, action: undefined })).toEqual({})
})

test('behavior: only a whole word "is" is dropped', () => {
  expect(toDataAttributes({ issue: 'a', isIssued: true })).toEqual({ 'data-issue': 'a', 'data-issued': '' })
})
