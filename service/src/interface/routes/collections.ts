import { PageQuery, toPage } from 'kassa/engine'
import { Collection, CollectionList, CreateCollectionBody, fields, UpdateCollectionBody } from 'kassa/schema'
import { parseInput } from '#base/lib/parseInput.js'
import { createUuid } from '#base/lib/uuid.js'
import { createCollection } from '#goods/collections/createCollection.js'
import { getCollection, listCollections } from '#goods/collections/findCollection.js'
import { updateCollection } from '#goods/collections/updateCollection.js'
import { defineRoute, type Route } from './route.js'

const collection = (description: string) => ({ status: 200, schema: Collection, description }) as const
const collectionIdOf = (params: Readonly<Record<string, string>>): string => params.collectionId ?? ''

/** Operations on collections. */
export const collectionRoutes: readonly Route[] = [
  defineRoute('putCollection', {
    summary: 'Create a collection under an id',
    description:
      'Idempotent: repeated requests return the same collection, also concurrent ones. Its contract is deployed afterwards; `actionId` tracks it.',
    body: CreateCollectionBody,
    answer: collection('The collection'),
    refusals: ['input-invalid', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) => {
      const collectionId = parseInput(fields.ChosenId, params.collectionId, 'collectionId')
      return createCollection(deps, call, { collectionId, body })
    },
  }),
  defineRoute('createCollection', {
    summary: 'Create a collection',
    description: 'Its id is a UUID. Its contract is deployed afterwards; `actionId` tracks it.',
    body: CreateCollectionBody,
    answer: collection('The collection'),
    refusals: ['input-invalid', 'conflict', 'body-too-large'],
    run: (deps, call, { body }) =>
      createCollection(deps, call, { collectionId: createUuid(deps.randomBytes), body }),
  }),
  defineRoute('listCollections', {
    summary: 'List collections',
    description: 'The project’s collections, newest first.',
    query: PageQuery,
    answer: { status: 200, schema: CollectionList, description: 'A page of collections' },
    refusals: ['input-invalid'],
    run: (deps, call, { query }) => listCollections(deps, call, toPage(query)),
  }),
  defineRoute('getCollection', {
    summary: 'Get a collection',
    answer: collection('The collection as it is now'),
    refusals: ['not-found'],
    run: (deps, call, { params }) => getCollection(deps, call, { collectionId: collectionIdOf(params) }),
  }),
  defineRoute('updateCollection', {
    summary: 'Update a collection',
    description:
      'Changes metadata, supply limit, payments or transferability. The contract is updated afterwards; `actionId` tracks it.',
    body: UpdateCollectionBody,
    answer: collection('The collection, changed, with the action of this change'),
    refusals: ['input-invalid', 'not-found', 'body-too-large'],
    run: (deps, call, { params, body }) =>
      updateCollection(deps, call, { collectionId: collectionIdOf(params), body }),
  }),
]
