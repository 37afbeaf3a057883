/** A name that looks like this is a customer's (spec §5): non-space characters, an at sign, a part with a dot. */
export const looksLikeEmail = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text);
