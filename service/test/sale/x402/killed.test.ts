import { test } from 'vitest'
import { createX402World } from '../../helpers/createX402World.js'
import { killPurchases } from '../../helpers/killPurchases.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const world = openBeforeAll(createX402World)

test('behavior: of 50 purchases with kills, none is paid twice and none is lost', () =>
  killPurchases(world, 50))
