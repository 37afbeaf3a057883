/** Something was entered that is not saved: whatever would ask before the window is closed is asked. */
export const isUnsaved = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
