import { expect, test } from 'vitest'
import { findMethods } from '#interface/http/findMethods.js'

const served = [
  { method: 'ALL', path: '/*' },
  { method: 'GET', path: '/api/orders' },
  { method: 'POST', path: '/api/orders' },
  { method: 'PATCH', path: '/api/orders/:orderId' },
  { method: 'GET', path: '/api/orders/:orderId' },
  { method: 'GET', path: '/api/orders/:orderId' },
  { method: 'GET', path: '/openapi.json' },
  { method: 'GET', path: '/docs/*' },
]

test.each([
  ['/api/orders', ['GET', 'POST']],
  ['/api/orders/', ['GET', 'POST']],
  ['/api/orders/1', ['GET', 'PATCH']],
  ['/api/orders/1/2', []],
  ['/openapi.json', ['GET']],
  ['/openapi-json', []],
  ['/docs/a/b.css', ['GET']],
  ['/nothing', []],
])('parameters: %s', (path, methods) => {
  expect(findMethods(served, path)).toEqual(methods)
})
