import { defineComponent, h, onMounted, ref } from 'vue'

/** Frames a diagram that may be larger than the page, and begins at its middle. */
export const DiagramFigure = defineComponent({
  setup: (_, { slots }) => {
    const figure = ref<HTMLElement>()
    onMounted(() => {
      const { value } = figure
      if (value) value.scrollLeft = (value.scrollWidth - value.clientWidth) / 2
    })
    // Focusable, so that a keyboard scrolls it.
    return () => h('figure', { ref: figure, class: 'diagram', tabindex: 0 }, slots.default?.())
  },
})
