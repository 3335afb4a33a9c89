/** The names of the reporters: they stand apart, for those who need to load no reporter. */
export const reporterNames: readonly string[] = ['terminal', 'json', 'junit', 'github', 'html'];
