import { readdirSync } from 'node:fs'
import { Checkout } from 'kassa'
import { expect, test } from 'vitest'
import * as orderStates from '../../stories/checkout/OrderStates.stories.js'
import * as paySteps from '../../stories/checkout/PaySteps.stories.js'
import { orders } from '../../stories/fixtures/orders.js'
import { steps } from '../../stories/fixtures/steps.js'

const toStory = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

test('behavior: every order state has its story', () => {
  expect(Object.keys(orderStates)).toEqual(expect.arrayContaining(Object.keys(orders).map(toStory)))
})

test('behavior: every pay step has its story', () => {
  expect(Object.keys(paySteps)).toEqual(expect.arrayContaining(Object.keys(steps).map(toStory)))
})

test('behavior: every part has its stories', () => {
  const files = readdirSync('stories', { recursive: true }).map(String)
  const told = files.flatMap((file) => /(\w+)\.stories\.tsx$/.exec(file)?.[1] ?? [])
  expect(told).toEqual(expect.arrayContaining(Object.keys(Checkout)))
})
