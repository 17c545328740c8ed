import type { TestWorld } from './service/testWorld.js'

const worlds = new WeakMap<object, TestWorld>()

/** Lets a test wallet reach what its service is made of. */
export const expose = (service: object, world: TestWorld): void => void worlds.set(service, world)

/** What a test service is made of. */
export const getWorld = (service: object): TestWorld => {
  const world = worlds.get(service)
  if (!world) throw new Error('This is not a service of createTestService')
  return world
}
