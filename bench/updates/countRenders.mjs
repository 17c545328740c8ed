/**
 * Has a page count the components that React renders; runs in the page, before React does. It stands where
 * React's developer tools would, and tells a component that rendered from one that was passed by as they do.
 */
export const countRenders = () => {
  // Function components, classes, forwardRef, memo in both its kinds.
  const components = [0, 1, 11, 14, 15]
  const performedWork = 1
  let isCounting = false
  let renders = 0

  /** @typedef {{ tag: number, flags: number, child: Fiber | null, sibling: Fiber | null, alternate: Fiber | null }} Fiber */
  const count = (/** @type {Fiber} */ fiber) => {
    if (components.includes(fiber.tag) && fiber.flags & performedWork) renders += 1
    if (fiber.child === fiber.alternate?.child) return
    for (let child = fiber.child; child; child = child.sibling) count(child)
  }

  Object.assign(globalThis, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      checkDCE: () => undefined,
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
      onCommitFiberRoot: (/** @type {number} */ _renderer, /** @type {{ current: Fiber }} */ { current }) => {
        if (isCounting) count(current)
      },
    },
    renderCounter: {
      start: () => {
        isCounting = true
        renders = 0
      },
      stop: () => {
        isCounting = false
        return renders
      },
    },
  })
}
