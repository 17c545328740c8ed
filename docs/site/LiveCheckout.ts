import { useData } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, type PropType, ref, watch } from 'vue'
import type { Layout } from './live/LivePurchase.js'
import type { LiveView } from './live/mount.js'

/** Shows the real parts of the library with the stories' orders. `look` names a stylesheet of `live/looks`. */
export const LiveCheckout = defineComponent({
  props: {
    look: { type: String, required: true },
    layout: { type: String as PropType<Layout>, default: 'panel' },
  },
  setup: ({ look, layout }) => {
    const host = ref<HTMLElement>()
    const { isDark } = useData()
    const themeOf = (): 'light' | 'dark' => (isDark.value ? 'dark' : 'light')
    let view: LiveView | undefined
    let isGone = false
    onMounted(async () => {
      // React and the library load where a page shows them, and nowhere else.
      const { mount } = await import('./live/mount.js')
      if (!host.value || isGone) return
      view = mount(host.value, { look, layout, theme: themeOf() })
    })
    watch(isDark, () => view?.setTheme(themeOf()))
    onBeforeUnmount(() => {
      isGone = true
      view?.unmount()
    })
    return () => h('div', { ref: host, class: 'live', 'data-look': look })
  },
})
