/** Words that say little in a question. They count only where a query has no others. */
const common = new Set(
  `a about above after again against all am an and any are arent as at be because been before being below between both but
  by can cant cannot could couldnt d did didnt do does doesnt doing dont down during each few for from further had hadnt
  has hasnt have havent having he hed her here hers herself hes him himself his how i id if ill im in into is isnt it its
  itself ive just let lets ll m me might more most mustnt my myself no nor not now of off on once only or other our ours
  ourselves out over own re s same shall she shed shes should shouldnt so some such t than that thats the their theirs
  them themselves then there theres these they theyd theyll theyre theyve this those through to too under until up us ve
  very was wasnt we wed were werent weve what whats when where which while who whom whos why will with wont would wouldnt
  you youd youll your youre yours yourself yourselves youve`.split(/\s+/)
)

export const isCommon = (term: string): boolean => common.has(term)
