import { CreateTemplateBody, Template, TemplateList } from 'kassa/schema'
import { createTemplate } from '../templates/createTemplate.js'
import { getTemplate } from '../templates/getTemplate.js'
import { listTemplates } from '../templates/listTemplates.js'
import { PageQuery, toPage } from './pageQuery.js'
import { defineRoute, type Route } from './route.js'

const path = '/2022-06-09/collections/{collectionId}/templates'
const template = (description: string) => ({ status: 200, schema: Template, description }) as const
const collectionIdOf = (params: Readonly<Record<string, string>>): string => params.collectionId ?? ''

/** Operations on the templates of a collection. */
export const templateRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path,
    operationId: 'createTemplate',
    summary: 'Create a template',
    description:
      'What many tokens are minted from. In a semi-fungible collection the copies share a token id: the given one, or the next that is free.',
    auth: { scope: 'nfts.create' },
    body: CreateTemplateBody,
    answer: template('The template'),
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) =>
      createTemplate(deps, call, { collectionId: collectionIdOf(params), body }),
  }),
  defineRoute({
    method: 'get',
    path,
    operationId: 'listTemplates',
    summary: 'List templates',
    description: 'The collection’s templates, newest first.',
    auth: { scope: 'nfts.read' },
    query: PageQuery,
    answer: { status: 200, schema: TemplateList, description: 'A page of templates' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) =>
      listTemplates(deps, call, { collectionId: collectionIdOf(params), ...toPage(query) }),
  }),
  defineRoute({
    method: 'get',
    path: `${path}/{templateId}`,
    operationId: 'getTemplate',
    summary: 'Get a template',
    auth: { scope: 'nfts.read' },
    answer: template('The template as it is now'),
    refusals: ['not-found'],
    run: (deps, call, { params }) =>
      getTemplate(deps, call, {
        collectionId: collectionIdOf(params),
        templateId: params.templateId ?? '',
      }),
  }),
]
