import { PageQuery, toPage } from 'kassa/engine'
import {
  ApiKey,
  ApiKeyList,
  CreateApiKeyBody,
  CreatedApiKey,
  type ApiKey as Key,
  RollApiKeyBody,
} from 'kassa/schema'
import { createApiKey, listApiKeys, revokeApiKey, rollApiKey } from '#identity/keys/manageKeys.js'
import { defineRoute, type Route } from './route.js'

const keyIdOf = (params: Readonly<Record<string, string>>): string => params.keyId ?? ''
const nameOf = ({ name }: Key): string => (name === undefined ? '' : `name=${name}`)
const nameNew = (key: Key): string => `new=${key.keyId} ${nameOf(key)}`

/** Operations on API keys, an extension of the interface. */
export const apiKeyRoutes: readonly Route[] = [
  defineRoute('listApiKeys', {
    summary: 'List API keys',
    description:
      'The project’s keys, newest first, with revoked ones, and without the keys themselves. It is an extension of the interface.',
    query: PageQuery,
    answer: { status: 200, schema: ApiKeyList, description: 'A page of keys' },
    refusals: ['input-invalid'],
    run: (deps, call, { query }) => listApiKeys(deps, call, toPage(query)),
  }),
  defineRoute('createApiKey', {
    summary: 'Create an API key',
    description:
      'The key itself is returned only here. It can have the scopes that the caller has. It is an extension of the interface.',
    body: CreateApiKeyBody,
    answer: { status: 201, schema: CreatedApiKey, description: 'The key' },
    refusals: ['input-invalid', 'body-too-large'],
    nameResource: nameNew,
    run: (deps, call, { body }) => createApiKey(deps, call, body),
  }),
  defineRoute('rollApiKey', {
    summary: 'Roll an API key',
    description:
      'Creates a key with the same name, scopes and origins, which is returned only here. The old key stops working, at once or after `keepHours`. It is an extension of the interface.',
    body: RollApiKeyBody,
    isBodyOptional: true,
    answer: { status: 201, schema: CreatedApiKey, description: 'The new key' },
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    nameResource: nameNew,
    run: (deps, call, { params, body }) => rollApiKey(deps, call, { ...body, keyId: keyIdOf(params) }),
  }),
  defineRoute('revokeApiKey', {
    summary: 'Revoke an API key',
    description:
      'Every process of the service refuses it within 5 seconds, and as a rule at once. It is an extension of the interface.',
    answer: { status: 200, schema: ApiKey, description: 'The key, revoked' },
    refusals: ['not-found'],
    nameResource: nameOf,
    run: (deps, call, { params }) => revokeApiKey(deps, call, { keyId: keyIdOf(params) }),
  }),
]
