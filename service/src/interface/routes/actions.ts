import { Action } from 'kassa/schema'
import { getAction } from '#goods/actions/actions.js'
import { defineRoute, type Route } from './route.js'

/** Operations on actions. */
export const actionRoutes: readonly Route[] = [
  defineRoute('getAction', {
    summary: 'Get the status of an action',
    description:
      'Every operation that changes a chain returns an `actionId`. This operation returns the status of that change.',
    answer: { status: 200, schema: Action, description: 'The action as it is now' },
    refusals: ['not-found'],
    run: (deps, call, { params }) => getAction(deps, call, { actionId: params.actionId ?? '' }),
  }),
]
