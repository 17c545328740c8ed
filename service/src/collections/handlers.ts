import type { Deps } from '../deps.js'
import type { JobHandler } from '../jobs/port.js'
import { createContract } from './createContract.js'
import { updateContract } from './updateContract.js'

/** The handlers of every job about collections, by name. */
export type CollectionHandlers = {
  [Name in 'collections.create' | 'collections.update']: JobHandler<Name>
}

/** Makes the handlers of the jobs that collections ask for. */
export const createCollectionHandlers = (deps: Deps): CollectionHandlers => ({
  'collections.create': createContract(deps),
  'collections.update': updateContract(deps),
})
