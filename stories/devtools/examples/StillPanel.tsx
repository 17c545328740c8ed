import type { DevtoolsSnapshot } from 'kassa/devtools'
import { useEffect } from 'react'
import { openRoot } from '../../../src/devtools/openRoot.js'
import { Panel } from '../../../src/devtools/panel/Panel.js'

/** Only the panel, with a checkout that does not change. */
export function StillPanel({ snapshot }: { snapshot: DevtoolsSnapshot }) {
  useEffect(() => {
    const { root, close } = openRoot()
    const devtools = {
      getSnapshot: () => snapshot,
      subscribe: () => () => {},
      ask: async () => {},
      fund: async () => true,
      force: () => {},
      release: () => {},
    }
    root.render(
      <Panel devtools={devtools} corner="bottom-right" side="bottom" isOpen getAccount={() => undefined} />,
    )
    return close
  }, [snapshot])
  return <p>The page of a shop.</p>
}
