const ignore = (event: Event): void => event.preventDefault();

/**
 * Attributes of a button that may have nothing to do for a while, such as while it sends: it keeps the focus, which
 * `disabled` would take from it, and neither a click nor Enter in a field of its form does anything.
 * @param press left out: the button sends its form
 */
export const pressable = (isPressable: boolean, press?: (event: Event) => void) => ({
  'aria-disabled': isPressable ? undefined : true,
  onClick: isPressable ? press : ignore,
});
