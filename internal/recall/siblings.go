package recall

// pathLikes scores files whose paths share words with that of an open file: siblings in its folder, and its counterpart in a parallel
// folder. A word that many paths have says little.
func (m *measure) pathLikes(open FileNo, factor float64) {
	mine := m.file(open).Words
	asked := mine[:min(len(mine), mostWords)]
	m.inPaths.build(m.Files(), m.wordsOf)
	m.kin.find(asked, &m.inPaths, &m.files, often, m.wordsOf)
	all, whole := float64(m.alive.files), 0.0
	var rare [mostWords]float64
	for w := range asked {
		rare[w] = rarity(all, min(all, m.kin.all[w]))
		whole += rare[w]
	}
	if whole == 0 {
		return
	}
	for _, n := range m.kin.hit {
		if FileNo(n) == open || m.gone[n] {
			continue
		}
		shared, count := 0.0, 0.0
		eachBit(m.kin.mask(n), func(w int) { shared, count = shared+rare[w], count+1 })
		m.terms[PathLike].add(FileNo(n), factor*shared/whole*2*count/float64(len(mine)+len(m.file(FileNo(n)).Words)))
	}
}
