import { expect, test } from 'vitest'
import { storeJson } from '#goods/files/linkedFiles.js'
import { createShop } from '../../helpers/createShop.js'
import { ipfsCid } from '../../helpers/ipfsCid.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const shop = openBeforeAll(createShop)

test('default', async () => {
  const uri = await storeJson(shop.deps, {
    name: 'Größe',
    attributes: [{ value: 2, trait_type: 'B' }, { value: null }],
    description: undefined,
  })
  const text = '{"attributes":[{"trait_type":"B","value":2},{"value":null}],"name":"Größe"}'
  expect(uri).toBe(`ipfs://${ipfsCid(new TextEncoder().encode(text))}`)
  const response = await shop.app.request(uri.replace('ipfs://', '/ipfs/'))
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.text()).toBe(text)
})

test('behavior: the order of fields does not change the file, and the order of a list does', async () => {
  const one = await storeJson(shop.deps, { a: 1, b: [1, 2] })
  expect(await storeJson(shop.deps, { b: [1, 2], a: 1 })).toBe(one)
  expect(await storeJson(shop.deps, { a: 1, b: [2, 1] })).not.toBe(one)
})
