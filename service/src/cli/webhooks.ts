import { event, events, replay } from './deliveries.js'
import { create, list, remove, rotate, show, types, update } from './endpoints.js'
import type { Group } from './group.js'

/** `kassa-service webhooks …`. */
export const webhooks: Group = {
  help: `
  kassa-service webhooks create --project <name> --url <url> --types <type,…|all> [--json]
      Have a project's events told to a URL. Prints the endpoint's id and the secret its events are signed with.

  kassa-service webhooks list [--project <name>] [--json]
  kassa-service webhooks show <id> [--json]
  kassa-service webhooks types
      List the endpoints; show one with its secrets; list the types of events there are.

  kassa-service webhooks update <id> [--url <url>] [--types <type,…|all>]
      Have an endpoint told at another URL, also of what is on its way, or of other types of events from now on.
      Its secret stays.

  kassa-service webhooks rotate <id> [--keep-hours <hours>]
      Print a new secret. Events are signed with the old one too for 24 hours, or as many as you say.

  kassa-service webhooks remove <id>
      Tell an endpoint nothing more.

  kassa-service webhooks events [--project <name>] [--endpoint <id>] [--failed] [--limit <count>] [--json]
  kassa-service webhooks event <event id>
      List the latest events, where each was sent, what became of it, and when it is sent next; print the body of one
      as it is sent.

  kassa-service webhooks replay <event id> [--endpoint <id>]
  kassa-service webhooks replay --failed --endpoint <id>
      Send an event once more to all its endpoints, or one; or all that an endpoint missed.
`,
  commands: { create, list, show, types, update, rotate, remove, events, event, replay },
  isWithoutDatabase: (word) => word === 'types',
}
