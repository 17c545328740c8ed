import { PageQuery, toPage } from 'kassa/engine'
import { CreateTemplateBody, fields, Template, TemplateList, UpdateTemplateBody } from 'kassa/schema'
import { parseInput } from '#base/lib/parseInput.js'
import { createTemplate } from '#goods/templates/createTemplate.js'
import { deleteTemplate } from '#goods/templates/deleteTemplate.js'
import { getTemplate, listTemplates } from '#goods/templates/findTemplate.js'
import { updateTemplate } from '#goods/templates/updateTemplate.js'
import { defineRoute, type Route } from './route.js'

const template = (description: string) => ({ status: 200, schema: Template, description }) as const
const collectionIdOf = (params: Readonly<Record<string, string>>): string => params.collectionId ?? ''

/** Operations on the templates of a collection. */
export const templateRoutes: readonly Route[] = [
  defineRoute('createTemplate', {
    summary: 'Create a template',
    description:
      'Creates metadata from which many tokens are minted. In a semi-fungible collection the copies share a token id: the given one, or the next free one.',
    body: CreateTemplateBody,
    answer: template('The template'),
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) =>
      createTemplate(deps, call, { collectionId: collectionIdOf(params), body }),
  }),
  defineRoute('listTemplates', {
    summary: 'List templates',
    description: 'The collection’s templates, newest first.',
    query: PageQuery,
    answer: { status: 200, schema: TemplateList, description: 'A page of templates' },
    refusals: ['input-invalid', 'not-found'],
    run: (deps, call, { params, query }) =>
      listTemplates(deps, call, { collectionId: collectionIdOf(params), ...toPage(query) }),
  }),
  defineRoute('getTemplate', {
    summary: 'Get a template',
    answer: template('The template as it is now'),
    refusals: ['not-found'],
    run: (deps, call, { params }) =>
      getTemplate(deps, call, {
        collectionId: collectionIdOf(params),
        templateId: params.templateId ?? '',
      }),
  }),
  defineRoute('putTemplate', {
    summary: 'Create a template under your own id',
    description:
      'Idempotent: repeated requests return the current template. You choose the id: 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or digit.',
    body: CreateTemplateBody,
    answer: template('The template'),
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) => {
      const templateId = parseInput(fields.TemplateId, params.templateId, 'templateId')
      return createTemplate(deps, call, { collectionId: collectionIdOf(params), templateId, body })
    },
  }),
  defineRoute('updateTemplate', {
    summary: 'Update a template',
    description:
      'Changes the given fields of the metadata, and the supply limit. Minted copies keep their metadata. The limit may grow at any time, and never falls below the copies that are minted, being minted or paid for. Once a copy is minted, the metadata of a semi-fungible token can no longer change.',
    body: UpdateTemplateBody,
    answer: template('The template, changed'),
    refusals: ['input-invalid', 'not-found', 'conflict', 'body-too-large'],
    run: (deps, call, { params, body }) =>
      updateTemplate(deps, call, {
        collectionId: collectionIdOf(params),
        templateId: params.templateId ?? '',
        body,
      }),
  }),
  defineRoute('deleteTemplate', {
    summary: 'Delete a template',
    description:
      'Ends the sale and the minting of its copies. Minted copies stay. Returns 409 while open orders or unfinished mints use it.',
    answer: template('The template as it was'),
    refusals: ['not-found', 'conflict'],
    run: (deps, call, { params }) =>
      deleteTemplate(deps, call, {
        collectionId: collectionIdOf(params),
        templateId: params.templateId ?? '',
      }),
  }),
]
