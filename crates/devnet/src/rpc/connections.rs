//! Connections that a handler can cut off, as a failing network or node would.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Accepts connections.
pub(super) struct Connections(pub(super) TcpListener);

/// A request's sender, with a way to cut its connection off.
#[derive(Clone)]
pub(super) struct Peer {
    pub(super) address: SocketAddr,
    cut: Arc<AtomicBool>,
}

impl Peer {
    /// Makes every further read and write fail, so the connection ends without an answer.
    pub(super) fn cut_off(&self) {
        self.cut.store(true, Ordering::Relaxed);
    }
}

impl Connected<IncomingStream<'_, Connections>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        Self {
            address: *stream.remote_addr(),
            cut: Arc::clone(&stream.io().cut),
        }
    }
}

impl Listener for Connections {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, address) = Listener::accept(&mut self.0).await;
        // Each answer is written in one piece, so waiting to fill a packet only costs time.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection delays its answers");
        }
        let cut = Arc::default();
        (Connection { stream, cut }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

/// One connection, until it is cut off.
pub(super) struct Connection {
    stream: TcpStream,
    cut: Arc<AtomicBool>,
}

impl Connection {
    fn open(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        if self.cut.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        Ok(Pin::new(&mut self.stream))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.open()?.poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.open()?.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.open()?.poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.open()?.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.open()?.poll_shutdown(context)
    }
}
