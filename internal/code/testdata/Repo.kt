@file:JvmName("Repos")
package app

import kotlin.math.max

/** A repo. */
@Singleton
class Repo<T : Any>(
    private val api: Api,
    val name: String = "}",
) : Base<T>(), Closeable {
    private val cache by lazy { mutableMapOf<String, T>() }

    val size: Int
        get() = cache.size

    init {
        println("init {")
    }

    constructor(api: Api) : this(api, "x") {
        println("second")
    }

    override suspend fun find(id: String): T? {
        val text = """
            fun notThis() { "${id}" }
        """.trimIndent()
        return cache[text] ?: api.load(id) { it }
    }

    fun kind(x: Int) = when (x) {
        1 -> "a"
        else -> "b"
    }

    fun sign(x: Int): Int = if (x > 0) {
        1
    } else {
        -1
    }

    companion object {
        const val MAX = 3
        fun create(): Repo<Any> {
            return Repo(Api())
        }
    }

    sealed class State {
        data class Ready(
            val a: Int,
            val b: Int,
        ) : State()
        object Gone : State()
    }

    inner class Cursor {
        fun next() = 1
    }
}

fun <T> List<T>.second(): T {
    return this[1]
}

fun String?.orEmpty2(): String =
    this
        ?: ""

fun interface Action {
    fun run(x: Int)
}

enum class Color(val rgb: Int) {
    RED(1) {
        override fun show() = 'r'
    },
    GREEN(2);

    abstract fun show(): Char
}

object Registry : Store {
    /* nested /* } */ */
    override fun get(
        id: Int,
    ): Int {
        return max(id, 1)
    }
}

typealias Handler = (Int) -> Unit

inline fun <reified T> build(crossinline f: () -> T): T = f()
