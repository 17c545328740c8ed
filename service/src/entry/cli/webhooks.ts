import { event, events, replay } from './deliveries.js'
import { create, list, remove, rotate, show, types, update } from './endpoints.js'
import type { Group } from './group.js'

/** `kassa-service webhooks …`. */
export const webhooks: Group = {
  help: `
  kassa-service webhooks create --project <name> --url <url> --types <type,…|all> [--json]
      Send a project's events to a URL. Prints the id of the endpoint and the secret that signs its events.

  kassa-service webhooks list [--project <name>] [--json]
  kassa-service webhooks show <id> [--json]
  kassa-service webhooks types
      List the endpoints, show one with its secrets, or list all event types.

  kassa-service webhooks update <id> [--url <url>] [--types <type,…|all>]
      Change the URL of an endpoint, which also applies to events that are being retried, or its event types, which
      apply to new events. Its secret stays the same.

  kassa-service webhooks rotate <id> [--keep-hours <hours>]
      Create and print a new secret. For 24 hours, or --keep-hours, events are signed with the old one too.

  kassa-service webhooks remove <id>
      Remove an endpoint. It receives no more events.

  kassa-service webhooks events [--project <name>] [--endpoint <id>] [--failed] [--limit <count>] [--json]
  kassa-service webhooks event <event id>
      List the latest events with their endpoints, outcomes and next attempts, or print the body of one event.

  kassa-service webhooks replay <event id> [--endpoint <id>]
  kassa-service webhooks replay --failed --endpoint <id>
      Send an event again to all its endpoints or to one, or send all events that an endpoint missed.
`,
  commands: { create, list, show, types, update, rotate, remove, events, event, replay },
  isWithoutDatabase: (word) => word === 'types',
}
