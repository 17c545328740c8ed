import { event, events, replay } from './deliveries.js'
import { create, list, remove, rotate, show, types, update } from './endpoints.js'
import type { Group } from './group.js'

/** `kassa webhooks …`. */
export const webhooks: Group = {
  help: `
  kassa webhooks create --project <name> --url <url> --types <type,…|all> [--json]
      Have a project's events told to a URL. Prints the endpoint's id and the secret its events are signed with.

  kassa webhooks list [--project <name>] [--json]
  kassa webhooks show <id> [--json]
  kassa webhooks types
      List the endpoints; show one with its secrets; list the types of events there are.

  kassa webhooks update <id> [--url <url>] [--types <type,…|all>]
      Have an endpoint told at another URL, also of what is on its way, or of other types of events from now on.
      Its secret stays.

  kassa webhooks rotate <id> [--keep-hours <hours>]
      Print a new secret. Events are signed with the old one too for 24 hours, or as many as you say.

  kassa webhooks remove <id>
      Tell an endpoint nothing more.

  kassa webhooks events [--project <name>] [--endpoint <id>] [--failed] [--limit <count>] [--json]
  kassa webhooks event <event id>
      List the latest events, where each was sent, what became of it, and when it is sent next; print the body of one
      as it is sent.

  kassa webhooks replay <event id> [--endpoint <id>]
  kassa webhooks replay --failed --endpoint <id>
      Send an event once more to all its endpoints, or one; or all that an endpoint missed.
`,
  commands: { create, list, show, types, update, rotate, remove, events, event, replay },
  isWithoutDatabase: (word) => word === 'types',
}
